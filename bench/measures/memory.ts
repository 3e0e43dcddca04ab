import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, residentMegabytes } from '../children.ts'
import type { Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const MOST_MB = { idle: 220, 'after the load': 350 }

/** Memory of the server, and of PostgreSQL with all its processes. Shared memory counts once. */
export async function measureMemory({ server }: MeasuredShop, when: 'idle' | 'after the load'): Promise<Row> {
  await pause(2_000)
  const [shop, ...postgres] = familyOf(server.processId)
  const sizes = [residentMegabytes([shop!]), residentMegabytes(postgres)]
  return {
    what: `memory, ${when}`,
    figures: `server and PostgreSQL ${sizes.map((size) => `${size.toFixed(0)} MB`).join(' + ')}`,
    value: sizes.reduce((sum, size) => sum + size, 0),
    unit: 'MB',
    goal: { most: MOST_MB[when] },
  }
}
