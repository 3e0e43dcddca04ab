import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

export type HashingTask =
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: HashingParameters }
  | { readonly kind: 'verify'; readonly password: string; readonly passwordHash: string }
export interface HashingParameters {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}
export type HashingAnswer = { readonly value: string | boolean } | { readonly error: string }

// Lower the priority, so that a flood of log-ins only uses CPU time that other work leaves. On Linux a priority applies
// to the calling thread; elsewhere it would slow down the whole server process.
if (process.platform === 'linux') setPriority(10)

parentPort!.on('message', (task: HashingTask) => {
  parentPort!.postMessage(answerTo(task))
})

function answerTo(task: HashingTask): HashingAnswer {
  try {
    return task.kind === 'hash'
      ? { value: hashSync(task.password, task.parameters) }
      : { value: verifySync(task.passwordHash, task.password) }
  } catch (error) {
    return { error: String(error) }
  }
}
