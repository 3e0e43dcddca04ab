import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, residentMegabytes } from '../children.ts'
import type { Row } from '../report.ts'
import type { DatabaseKind, MeasuredShop } from '../shop.ts'

const MOST_MB: Record<DatabaseKind, { idle: number; 'after the load': number }> = {
  embedded: { idle: 300, 'after the load': 420 },
  PostgreSQL: { idle: 110, 'after the load': 160 },
}

/** Resident size of the server and everything it started; PostgreSQL is not ours. */
export async function measureMemory(
  { kind, server }: MeasuredShop,
  when: 'idle' | 'after the load',
): Promise<Row> {
  await pause(2_000)
  const sizes = familyOf(server.processId).map((id) => residentMegabytes([id]))
  return {
    what: `memory, ${when}`,
    figures: sizes.map((size) => `${size.toFixed(0)} MB`).join(' + '),
    value: sizes.reduce((sum, size) => sum + size, 0),
    unit: 'MB',
    goal: { most: MOST_MB[kind][when] },
  }
}
