import { errorCode } from '../log/error-code.ts'

/** The message is one sentence that says why and what to do. */
export class BadBackup extends Error {}

export class DamagedBackup extends BadBackup {
  constructor() {
    super('This backup is damaged or was cut short. Use another one; nothing was restored from it.')
  }
}

export function asBadBackup(error: unknown, what: string): unknown {
  const why = REASONS[String(errorCode(error))]
  return why ? new BadBackup(`${what}: ${why}`) : error
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room and try again.',
  ENOENT: 'its folder is not there. Make it first.',
  EACCES: 'this user may not write there.',
  EPERM: 'this user may not write there.',
  EROFS: 'nothing can be written there.',
  EISDIR: 'it is a folder. Name a file in it.',
}
