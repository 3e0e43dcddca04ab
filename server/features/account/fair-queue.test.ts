import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** A queue whose work is finished by hand. */
function aQueue(atOnce: number, waitingAtMost = 100) {
  const queue = new FairQueue({ atOnce, waitingAtMost })
  const begun: string[] = []
  const finish = new Map<string, () => void>()
  const ask = (who: string, what: string) =>
    queue.run(who, async () => {
      begun.push(what)
      await new Promise<void>((resolve) => finish.set(what, resolve))
    })
  const end = async (what: string) => {
    finish.get(what)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, begun, end }
}

test('whoever asks once waits for one of the hundred that somebody else asked for before', async () => {
  const { ask, begun, end } = aQueue(1)
  const all = ['a1', 'a2', 'a3', 'a4'].map((what) => ask('greedy', what))
  all.push(ask('nell', 'n1'), ask('una', 'u1'))
  for (const what of ['a1', 'a2', 'n1', 'u1', 'a3', 'a4']) await end(what)
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'a2', 'n1', 'u1', 'a3', 'a4'])
})

test('one account has one piece under way, however many could run', async () => {
  const { ask, begun, end } = aQueue(3)
  const all = [ask('nell', 'n1'), ask('nell', 'n2'), ask('una', 'u1')]
  expect(begun).toEqual(['n1', 'u1'])
  await end('u1')
  expect(begun).toEqual(['n1', 'u1'])
  await end('n1')
  expect(begun).toEqual(['n1', 'u1', 'n2'])
  await end('n2')
  await Promise.all(all)
})

test('where too many wait, the longest line loses its last, and nobody else is refused', async () => {
  const { ask, begun, end } = aQueue(1, 3)
  const greedy = ['g1', 'g2', 'g3', 'g4'].map((what) => ask('greedy', what))
  const nell = ask('nell', 'n1')
  await expect(greedy[3]).rejects.toMatchObject({ kind: 'unavailable' })
  for (const what of ['g1', 'g2', 'n1', 'g3']) await end(what)
  await Promise.all([...greedy.slice(0, 3), nell])
  expect(begun).toEqual(['g1', 'g2', 'n1', 'g3'])
})

test('work that fails makes way for the next', async () => {
  const queue = new FairQueue({ atOnce: 1, waitingAtMost: 10 })
  const failing = queue.run('nell', () => Promise.reject(new Error('no')))
  const next = queue.run('nell', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
