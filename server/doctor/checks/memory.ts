import { totalmem } from 'node:os'
import { sizeInWords } from '../../backup/progress.ts'
import type { Config } from '../../settings/config.ts'
import { fine, type Finding, look } from '../finding.ts'

/** A server uses up to 230 MB, its embedded PostgreSQL up to another 100 MB (bench/README.md). */
const SERVER_BYTES = 300e6
const EMBEDDED_BYTES = 150e6

export function checkMemory({ databaseUrl }: Pick<Config, 'databaseUrl'>): Finding {
  const limit = process.constrainedMemory()
  return memoryOf(limit > 0 && limit < totalmem() ? limit : totalmem(), databaseUrl === undefined)
}

export function memoryOf(all: number, isEmbedded: boolean): Finding {
  const needed = SERVER_BYTES + (isEmbedded ? EMBEDDED_BYTES : 0)
  return all < needed
    ? look(
        `This machine has ${sizeInWords(all)} of memory, and the shop wants ${sizeInWords(needed)}. Give it more.`,
      )
    : fine(`${sizeInWords(all)} of memory are enough.`)
}
