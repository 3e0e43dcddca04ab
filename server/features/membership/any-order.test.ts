import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanId } from '#contract/plans.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { type Life, liveThrough, type Step, toldInOrder } from '#tests/support/recorded-membership.ts'
import * as turns from '#tests/support/membership-steps.ts'

const { joined, upgraded, byTheMonth, renewed, refused, recovered, cancelled } = turns
const { partBack, allBack, ended, disputed, won, lost } = turns

const LONGEST = { timeout: 3_600_000 }
/** Random orders tried for each life, with repeated and lost events. */
const SHUFFLES = process.env.LONG ? 200 : 4
/** Random lives in one shop, and the number of shops: the sandbox gets slow after some thousands. */
const LIVES = process.env.LONG ? 50 : 12
const SHOPS = process.env.LONG ? 100 : 1

let all: MembersShop
async function openShop(): Promise<void> {
  all = await membersShop()
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
}
beforeAll(openShop)
afterAll(() => all?.close())

const inOrder = ({ notices }: Life): number[] => notices.map((_notice, place) => place)

/** Some events come twice, others not at all. */
function shuffled({ notices }: Life, random: () => number): number[] {
  const length = Math.floor(random() * notices.length * 2)
  return Array.from({ length }, () => Math.floor(random() * notices.length))
}

function* everyOrder(of: readonly number[]): Generator<number[]> {
  if (of.length === 0) yield []
  for (const one of of)
    for (const rest of everyOrder(of.filter((other) => other !== one))) yield [one, ...rest]
}

const NAMED: Readonly<Record<string, readonly [PlanId, readonly Step[]]>> = {
  'a dispute that is won after a renewal': [4, [joined, disputed, renewed, won]],
  'a dispute that is lost after a renewal': [4, [joined, disputed, renewed, lost, ended]],
  'a part that came back before all of it, by a dispute': [4, [joined, partBack, disputed, lost, ended]],
  'more of a year that is disputed': [5, [joined, disputed, upgraded]],
  'more of a year, and then months': [5, [joined, upgraded, byTheMonth, renewed]],
  'more in a month whose next one fails and recovers': [4, [joined, upgraded, refused, recovered]],
  'a renewal that fails for good': [4, [joined, refused, ended]],
  'all money back': [1, [joined, renewed, partBack, allBack, ended]],
  'a year with more of it, disputed': [5, [joined, upgraded, partBack, disputed, won, cancelled]],
  'half a year of everything': [4, [joined, upgraded, renewed, refused, recovered, allBack, ended]],
}

test.each(Object.entries(NAMED))(
  'MEMB-36: in whatever order, however often, and if at all it is told, it ends the same: %s',
  LONGEST,
  async (_name, [plan, steps]) => {
    const life = await liveThrough(all, plan, steps)
    const expected = await toldInOrder(all, life, inOrder(life))
    // With the nightly job alone.
    expect(await toldInOrder(all, life, [])).toEqual(expected)
    const isShort = steps.length <= (process.env.LONG ? 6 : 4)
    for (const order of isShort ? everyOrder(inOrder(life)) : [])
      expect(await toldInOrder(all, life, order), String(order)).toEqual(expected)
    const random = randomNumbers()
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle += 1) {
      const order = shuffled(life, random)
      expect(await toldInOrder(all, life, order), String(order)).toEqual(expected)
    }
  },
)

test.each(Array.from({ length: SHOPS }, (_, one) => seed + one * LIVES))(
  'MEMB-36: random lives of two years end the same, in whatever order, however often, and if at all they are told (from seed %i on)',
  LONGEST,
  async (first) => {
    for (let from = first; from < first + LIVES; from += 1) {
      const random = randomNumbers(from)
      const plan = turns.SOLD[Math.floor(random() * turns.SOLD.length)]!
      const life = await liveThrough(all, plan, (begun) => turns.anything(begun, random))
      const expected = await toldInOrder(all, life, inOrder(life))
      for (const order of [[], shuffled(life, random)])
        expect(await toldInOrder(all, life, order), `SEED=${from}, told as ${String(order)}`).toEqual(
          expected,
        )
      await all.forget(life.member)
    }
    if (SHOPS === 1) return
    await all.close()
    await openShop()
  },
)
