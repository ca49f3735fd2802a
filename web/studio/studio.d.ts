// The engine's requests and what it answers. Numbers in bulk are in `arrays`, row by row.
export type Request =
  | { do: 'robots' | 'integrators' }
  | { do: 'load'; robot: string; free_base?: boolean }
  | { do: 'load'; text: string; file: string; free_base?: boolean }
  | { do: 'text'; form: 'toml' | 'dh' | 'explicit' | 'urdf' | 'mjcf' | 'sdf'; drop?: boolean }
  | ({ do: 'state'; poses_only?: boolean } & State)
  | ({ do: 'formulations' } & State)
  | { do: 'counts'; of?: string; regroup?: boolean }
  | { do: 'reach'; q?: number[]; position: number[]; quaternion?: number[]; follow?: boolean }
  | { do: 'close'; q: number[]; held?: number[] }
  | { do: 'cloud'; count?: number }
  | { do: 'states'; count?: number; seed?: number }
  | { do: 'simulate'; scenario: string };

/** What is left out is zero; q is then the neutral position. */
export interface State { q?: number[]; v?: number[]; a?: number[]; tau?: number[] }

export interface Finding { severity: 'error' | 'warning'; link: string; reason: string; remedy: string; line: number }

export interface Answer {
  error?: string;
  findings?: Finding[];
  arrays?: Record<string, Float64Array>;
  [key: string]: unknown;
}
