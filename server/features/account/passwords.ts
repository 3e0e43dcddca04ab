import { type Turn, FairQueue } from './fair-queue.ts'
import {
  countHit,
  forgetHits,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import type { Shop } from '../../shop.ts'
import { turnOfAccount, WRONG_PASSWORDS } from './limits.ts'
import { selectPasswordHash } from './queries.ts'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HashingAnswer, HashingTask } from './hashing-thread.ts'

/** OWASP's minimum for argon2id: 19 MiB of memory and two passes. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'

/** Checked for unknown addresses, so that they take as long as a wrong password. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c4tImdX3KcrZ2LnX9BojQg$FMRqYIquJKmOHSxuL6EUH2XYQNplDZFEtIk2ukFwqq8'

export const hashPassword = (password: string, turn: Turn): Promise<string> =>
  inHashingQueue(turn, (hash) => hashWith(hash, password))

async function hashWith(hash: Hash, password: string): Promise<string> {
  return String(await hash({ kind: 'hash', password: normalised(password), parameters: PARAMETERS }))
}

/** For an unknown account pass null: the check takes the same time and returns false. */
export async function passwordMatches(
  hash: Hash,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const task = {
    kind: 'verify',
    passwordHash: passwordHash ?? DUMMY_HASH,
    password: normalised(password),
  } as const
  return (await hash(task)) === true && passwordHash !== null
}

export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT_PREFIX)

// Different keyboards send the same password in different Unicode forms.
const normalised = (password: string) => password.normalize('NFKC')

/** @throws 429 after too many wrong passwords, also if they arrive concurrently */
export async function provesPassword(
  shop: Shop,
  userId: string,
  password: string,
  known?: string,
): Promise<boolean> {
  const { db, now } = shop
  const limit: LimitOf = [WRONG_PASSWORDS, `change of ${userId}`]
  const refuse = async () => refuseOverLimit([limit], await selectTallies(db, [limit]), now())
  await refuse()
  const passwordHash = known ?? (await selectPasswordHash(db, userId))
  return inHashingQueue(turnOfAccount(userId), async (hash) => {
    await refuse()
    if (await passwordMatches(hash, passwordHash ?? null, password)) {
      await forgetHits(db, ...limit)
      return true
    }
    await countHit(db, ...limit, now())
    noteSecurity(shop, 'password_wrong', { userId })
    return false
  })
}

// One core stays free for requests that don't log in. 64 waiting tasks take a few seconds at most.
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
const queue = new FairQueue({ atOnce: THREADS, waitingAtMost: 64 })

type Hash = (task: HashingTask) => Promise<string | boolean>

const idle: Worker[] = []

/**
 * Count failed log-ins inside `work`: tasks of the same account and address run one at a time.
 * @throws 503 when too many tasks wait
 */
export const inHashingQueue = <T>(turn: Turn, work: (hash: Hash) => Promise<T>): Promise<T> =>
  queue.run(turn, () => work(inThread))

async function inThread(task: HashingTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./hashing-thread.ts', import.meta.url))
  thread.ref()
  thread.postMessage(task)
  // If the thread dies, this promise rejects and the thread is not reused. `node --watch` (`npm run dev`) posts
  // messages of its own from threads, about the files that they load.
  let answer: HashingAnswer
  do {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type that hashing-thread.ts posts
    ;[answer] = (await once(thread, 'message')) as [HashingAnswer]
  } while (!('value' in answer || 'error' in answer))
  // An idle thread must not keep the process alive.
  thread.unref()
  idle.push(thread)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}
