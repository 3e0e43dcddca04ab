import { afterEach, expect, test, vi } from 'vitest'
import { soon } from '#tests/support/wait-for.ts'
import { oneAtATime } from './one-at-a-time.ts'

afterEach(() => vi.unstubAllGlobals())

test('if the browser blocks locks together with storage, a page uses its own queue', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) },
  })
  const done: string[] = []
  let finish = () => {}
  const first = oneAtATime('bag', async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    done.push('first')
  })
  const second = oneAtATime('bag', async () => void done.push('second'))
  await soon(() => expect(finish.name).not.toBe('finish'))
  expect(done).toEqual([])
  finish()
  await Promise.all([first, second])
  expect(done).toEqual(['first', 'second'])
})

test('work that fails under a lock is not repeated', async () => {
  vi.stubGlobal('navigator', { locks: { request: (_name: string, work: () => Promise<unknown>) => work() } })
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('no'))
  await expect(oneAtATime('bag', work)).rejects.toThrow('no')
  expect(work).toHaveBeenCalledOnce()
})
