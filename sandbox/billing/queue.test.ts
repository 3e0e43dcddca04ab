import { expect, test } from 'vitest'
import { randomNumbers } from '#tests/support/random.ts'
import { Queue } from './queue.ts'

test('returns the earliest entry, and among equal times the one that was added first, after any sequence of changes', () => {
  const random = randomNumbers()
  const queue = new Queue()
  const known = new Map<string, number>()
  for (let step = 0; step < 2000; step += 1) {
    const id = String(Math.floor(random() * 60))
    const at = random() < 0.25 ? undefined : Math.floor(random() * 40)
    queue.set(id, at)
    // An entry that is removed and added again keeps its place.
    if (at !== undefined || known.has(id)) known.set(id, at ?? Infinity)
    const [first] = [...known].filter(([, when]) => when < Infinity).toSorted((one, two) => one[1] - two[1])
    expect(queue.first()).toBe(first?.[0])
  }
})
