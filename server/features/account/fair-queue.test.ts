import { expect, test } from 'vitest'
import { FairQueue, type Limits, type Turn } from './fair-queue.ts'

/** A queue whose tasks the test finishes by hand. */
function aQueue(atOnce: number, waitingAtMost = 100, more: Partial<Limits> = {}) {
  const queue = new FairQueue({ atOnce, waitingAtMost, ...more })
  const begun: string[] = []
  const finish = new Map<string, () => void>()
  const ask = (one: string, what: string, more: Partial<Turn> = {}) =>
    queue.run({ one, ...more }, async () => {
      begun.push(what)
      await new Promise<void>((resolve) => finish.set(what, resolve))
    })
  const end = async (what: string) => {
    finish.get(what)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, begun, end }
}

test('a client’s only task runs before the many that another client queued earlier', async () => {
  const { ask, begun, end } = aQueue(1)
  const all = ['a1', 'a2', 'a3', 'a4'].map((what) => ask('greedy', what))
  all.push(ask('nell', 'n1'), ask('una', 'u1'))
  for (const what of ['a1', 'n1', 'u1', 'a2', 'a3', 'a4']) await end(what)
  await Promise.all(all)
  expect(begun).toEqual(['a1', 'n1', 'u1', 'a2', 'a3', 'a4'])
})

test('tasks of one account run one at a time, even if more could run', async () => {
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

test('when too many tasks wait, the longest queue drops its newest and no other queue loses one', async () => {
  const { ask, begun, end } = aQueue(1, 3)
  const greedy = ['g1', 'g2', 'g3', 'g4'].map((what) => ask('greedy', what))
  const nell = ask('nell', 'n1')
  await expect(greedy[3]).rejects.toMatchObject({ kind: 'unavailable' })
  for (const what of ['g1', 'n1', 'g2', 'g3']) await end(what)
  await Promise.all([...greedy.slice(0, 3), nell])
  expect(begun).toEqual(['g1', 'n1', 'g2', 'g3'])
})

test('a failed task lets the next one start', async () => {
  const queue = new FairQueue({ atOnce: 1, waitingAtMost: 10 })
  const failing = queue.run({ one: 'nell' }, () => Promise.reject(new Error('no')))
  const next = queue.run({ one: 'nell' }, async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a network has one queue for all accounts that it names, so only its own newest requests are dropped', async () => {
  const { ask, begun, end } = aQueue(1, 3)
  const one = ask('first', 'f1')
  const many = ['m1', 'm2', 'm3', 'm4'].map((what) => ask(what, what, { line: 'network' }))
  const nell = ask('nell', 'n1')
  await expect(many[3]).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(many[2]).rejects.toMatchObject({ kind: 'unavailable' })
  for (const what of ['f1', 'n1', 'm1', 'm2']) await end(what)
  await Promise.all([one, many[0], many[1], nell])
  expect(begun).toEqual(['f1', 'n1', 'm1', 'm2'])
})

test('unknown devices from many networks never crowd out a known device, and known devices never crowd out unknown ones', async () => {
  const { ask, begun, end } = aQueue(1, 3)
  const strangers = ['s1', 's2', 's3', 's4', 's5'].map((what) => ask(what, what))
  await expect(strangers[4]).rejects.toMatchObject({ kind: 'unavailable' })
  const known = ['k1', 'k2', 'k3'].map((what) => ask(what, what, { isKnown: true }))
  for (const what of ['s1', 'k1', 's2', 'k2', 's3', 'k3', 's4']) await end(what)
  await Promise.all([...strangers.slice(0, 4), ...known])
  expect(begun).toEqual(['s1', 'k1', 's2', 'k2', 's3', 'k3', 's4'])
})

test('during a flood from many networks, a network without recent requests goes first and is not dropped', async () => {
  const { ask, begun, end } = aQueue(1, 3)
  const refused: string[] = []
  const send = (network: string, what: string) =>
    ask(what, what, { line: network }).catch(() => void refused.push(what))
  // Each flooding network has been served once.
  for (const network of ['f1', 'f2', 'f3', 'f4', 'f5']) {
    const served = send(network, `${network} first`)
    await end(`${network} first`)
    await served
  }
  begun.length = 0
  const all = ['f1', 'f2', 'f3', 'f4'].map((network) => send(network, network))
  // The queue is full. Two new networks come last, but go before the flood.
  all.push(send('nell', 'nell'), send('una', 'una'))
  for (const what of ['f1', 'nell', 'una', 'f2']) await end(what)
  await Promise.all(all)
  expect(begun).toEqual(['f1', 'nell', 'una', 'f2'])
  expect(refused).toEqual(['f4', 'f3'])
})

test('the count of a network’s requests is dropped after ten minutes, or after requests from many other networks', async () => {
  let nowMs = 0
  const { ask, begun, end } = aQueue(1, 10, { nowMs: () => nowMs, remembered: 2 })
  const serve = async (network: string) => {
    const served = ask(network, network, { line: network })
    await end(network)
    await served
  }
  const first = async (...networks: string[]) => {
    begun.length = 0
    const all = ['busy', ...networks].map((network) => ask(network, network, { line: network }))
    for (let next = 0; next < all.length; next++) await end(begun[next]!)
    await Promise.all(all)
    return begun.slice(1)
  }
  await serve('old')
  expect(await first('old', 'new')).toEqual(['new', 'old'])
  nowMs += 10 * 60_000 + 1
  expect(await first('old', 'newer')).toEqual(['old', 'newer'])
  nowMs += 10 * 60_000 + 1
  for (const network of ['old', 'a', 'b', 'c']) await serve(network)
  expect(await first('old', 'newest')).toEqual(['old', 'newest'])
})
