import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../../refusals.ts'

/** OWASP's smallest argon2id (wire-payments-security.md, 4): 19 MiB and two passes, 36 ms on a laptop. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'

/** A hash of nothing anybody knows: an unknown address takes as long as a wrong password. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$c4tImdX3KcrZ2LnX9BojQg$FMRqYIquJKmOHSxuL6EUH2XYQNplDZFEtIk2ukFwqq8'

// One core stays free for everybody who is not logging in. 64 waiting are at most a few seconds.
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
const WAITING_AT_MOST = 64

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs one password check when its turn comes. Whatever must not be done many times at once, such as reading
 * how often an account failed, belongs inside. Throws 503 when too many wait.
 */
export async function inHashingQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else {
    if (waiting.length >= WAITING_AT_MOST) throw unavailable(5)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export const hashPassword = (password: string): Promise<string> => hash(normal(password), PARAMETERS)

/** With null for the hash of an unknown account it takes the same time and is false. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODY, normal(password))
  return matches && passwordHash !== null
}

/** True for a hash that was made with other parameters: it is made anew at the next log-in. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT)

// The same password typed on another keyboard may come in another Unicode form.
const normal = (password: string) => password.normalize('NFKC')
