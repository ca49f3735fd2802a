# ULNA_MUJOCO_FOUND, ULNA_MUJOCO_INCLUDE, ULNA_MUJOCO_LIBRARY. Not by MuJoCo's CMake package: that one insists on
# OpenGL, which dynamics does not need.
find_path(ULNA_MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(ULNA_MUJOCO_LIBRARY mujoco)
mark_as_advanced(ULNA_MUJOCO_INCLUDE ULNA_MUJOCO_LIBRARY)
set(ULNA_MUJOCO_FOUND OFF)
if(ULNA_MUJOCO_INCLUDE AND ULNA_MUJOCO_LIBRARY)
  set(ULNA_MUJOCO_FOUND ON)
endif()
