// Points that are equal become one, so that triangles know their neighbours.
#pragma once

#include "ulna/io/mesh/mesh.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Triangles that have no three points go.
MeshPart welded(const MeshPart& part);

/// All parts as one, welded.
MeshPart welded(const Mesh& mesh);

}  // namespace ulna
#pragma GCC visibility pop
