import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { FairQueue, type Turn } from './fair-queue.ts'
import type { HashingAnswer, HashingTask } from './hashing-thread.ts'

// One core stays free for requests that don't log in. 64 waiting tasks take a few seconds at most.
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
const queue = new FairQueue({ atOnce: THREADS, waitingAtMost: 64 })

/** Runs one task in a thread. Each thread handles one task at a time. */
export type Hash = (task: HashingTask) => Promise<string | boolean>

const idle: Worker[] = []

/**
 * Hashes or checks a password in a low-priority thread when its turn comes. Read facts such as the number of failed
 * log-ins inside `work`: tasks of the same account and address run one at a time.
 * @throws 503 when too many tasks wait
 */
export const inHashingQueue = <T>(turn: Turn, work: (hash: Hash) => Promise<T>): Promise<T> =>
  queue.run(turn, () => work(inThread))

async function inThread(task: HashingTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./hashing-thread.ts', import.meta.url))
  thread.ref()
  thread.postMessage(task)
  // If the thread dies, this promise rejects and the thread is not reused.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type that hashing-thread.ts posts
  const [answer] = (await once(thread, 'message')) as [HashingAnswer]
  // An idle thread must not keep the process alive.
  thread.unref()
  idle.push(thread)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}
