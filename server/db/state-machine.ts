/**
 * The states of a thing and the changes between them. Code may only make these changes, and a trigger of the database
 * (`check_transition` in the migrations) refuses all others. `server/state-machines.test.ts` proves that the
 * triggers have the same table.
 */
export interface StateMachine<State extends string> {
  readonly table: string
  readonly column: string
  /** The states that may follow each state. Writing the same state again is not a change. */
  readonly next: { readonly [From in State]: readonly State[] }
}

export const mayChange = <State extends string>(
  { next }: StateMachine<State>,
  from: State,
  to: State,
): boolean => from === to || next[from].includes(to)

/** The states from which a state may be reached. */
export function statesBefore<State extends string>({ next }: StateMachine<State>, to: State): State[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the keys of the table
  return (Object.keys(next) as State[]).filter((from) => next[from].includes(to))
}

/** @throws if the change is not in the table */
export function requireChange<State extends string>(
  machine: StateMachine<State>,
  from: State,
  to: State,
): void {
  if (!mayChange(machine, from, to)) throw new Error(`${machine.table}: ${from} can't become ${to}`)
}
