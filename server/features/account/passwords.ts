import type { Turn } from './fair-queue.ts'
import { type Hash, inHashingQueue } from './hashing.ts'

/** OWASP's minimum for argon2id: 19 MiB of memory and two passes. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'

/**
 * The hash of a discarded random password. An unknown address is checked against it, so it takes as long as a wrong
 * password.
 */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$c4tImdX3KcrZ2LnX9BojQg$FMRqYIquJKmOHSxuL6EUH2XYQNplDZFEtIk2ukFwqq8'

export const hashPassword = (password: string, turn: Turn): Promise<string> =>
  inHashingQueue(turn, (hash) => hashedIn(hash, password))

export async function hashedIn(hash: Hash, password: string): Promise<string> {
  return String(await hash({ kind: 'hash', password: normal(password), parameters: PARAMETERS }))
}

/** For an unknown account pass null as hash: the check takes the same time and returns false. */
export async function passwordMatches(
  hash: Hash,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const task = { kind: 'verify', passwordHash: passwordHash ?? NOBODY, password: normal(password) } as const
  return (await hash(task)) === true && passwordHash !== null
}

/** True for a hash made with older parameters; it is replaced at the next log-in. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT)

// Different keyboards send the same password in different Unicode forms.
const normal = (password: string) => password.normalize('NFKC')
