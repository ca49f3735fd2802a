// The engine's requests and what it answers. Numbers in bulk are in `arrays`, row by row. tsc checks the scripts that ask
// against it (test/web/tsconfig.json).
export type Request =
  | { do: 'robots' | 'integrators' }
  | ({ do: 'load' } & RobotSource)
  | { do: 'text'; form: 'toml' | 'dh' | 'explicit' | 'urdf' | 'mjcf' | 'sdf'; drop?: boolean }
  | ({ do: 'state'; poses_only?: boolean } & State)
  | ({ do: 'formulations' } & State)
  | { do: 'counts'; of?: string; regroup?: boolean }
  | { do: 'reach'; q?: number[]; position: number[]; quaternion?: number[]; follow?: boolean }
  | { do: 'close'; q: number[]; held?: number[] }
  | { do: 'cloud'; count?: number }
  | ({ do: 'time'; count?: number } & State)
  | { do: 'states'; count?: number; seed?: number }
  | ({ do: 'steps'; method: string } & State)
  | { do: 'simulate'; scenario: string }
  | { do: 'motion'; scenario: string }
  | { do: 'advance'; scenario: string; pull?: Pull }
  | { do: 'report'; page: string }
  | { do: 'named_robot'; scenario: string }
  | { do: 'named_robot'; run: string }
  | { do: 'result'; run: string; file: string };

/** A spring from a point of a body, in its axes, to a place in the world. Bodies count from 1. */
export interface Pull { body: number; at: number[]; anchor: number[] }

/** A pull as a scenario has it, in world axes, at the mass centre of the link's body. */
export interface Load { link: string; force: number[]; moment: number[]; from: number; until: number }

/** By a bundled name, or the text of a file. */
export type RobotSource = { free_base?: boolean } & ({ robot: string; text?: undefined; file?: undefined } | { text: string; file: string; robot?: undefined });

/** What is left out is zero; q is then the neutral position. */
export interface State { q?: number[]; v?: number[]; a?: number[]; tau?: number[] }

export interface Finding { severity: 'error' | 'warning'; link: string; reason: string; remedy: string; line: number }

export interface Answer {
  error?: string;
  findings?: Finding[];
  arrays?: Record<string, Float64Array>;
  [key: string]: unknown;
}
