import { fsyncSync, openSync, closeSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { DurableFileSystem } from './durable-file-system.ts'
import { firstValue, FrameReader, isFatal, query, textAt } from './wire.ts'

/** PostgreSQL's one session, spoken to in whole request cycles. */
export interface Engine {
  /** Blocks the thread until the cycle is answered; the frames of the answer in order. */
  run(frames: Buffer[]): Buffer[]
  close(): Promise<void>
}

type Fsync = ConstructorParameters<typeof DurableFileSystem>[1]

/** @param onFatal must not return: PGlite would feed a dead session for ever. */
export async function openEngine(
  folder: string,
  onFatal: (reason: string) => never,
  fsync?: Fsync,
): Promise<Engine> {
  const pglite = await open(folder, fsync)
  return {
    run(frames) {
      const reader = new FrameReader()
      const answer: Buffer[] = []
      const onRawData = (bytes: Uint8Array) => {
        // The bytes lie in PostgreSQL's own memory and are overwritten by the next reply.
        reader.push(Buffer.from(bytes))
        for (let frame = reader.next(); frame; frame = reader.next()) {
          if (isFatal(frame)) onFatal(messageOf(frame))
          answer.push(frame)
        }
      }
      // Runs to its end before it returns; the promise only carries what it threw.
      pglite
        .execProtocolRawStream(Buffer.concat(frames), { syncToFs: false, onRawData })
        .catch((error: unknown) => onFatal(String(error)))
      return answer
    },
    close: () => pglite.close(),
  }
}

/** Makes the database. A creation that was interrupted leaves nothing that looks like one. */
export async function createDatabase(folder: string): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const pglite = await open(unfinished)
  await pglite.close()
  syncTree(unfinished)
  renameSync(unfinished, folder)
  syncEntry(join(folder, '..'))
}

function open(folder: string, fsync?: Fsync): Promise<PGlite> {
  return PGlite.create({
    fs: new DurableFileSystem(folder, fsync),
    extensions: { citext, pg_trgm, unaccent },
    // Only for a new database: segments of a quarter of the usual size keep a small shop's folder small.
    initDbStartParams: ['--wal-segsize=4'],
    startParams: [
      // PGlite's defaults without -F, which turns fsync off.
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...setting('fsync', 'on'),
      // Emscripten's fdatasync, the default, does nothing.
      ...setting('wal_sync_method', 'fsync'),
      // The kernel caches the files as well; PGlite's own default of 160 MB would be resident twice.
      ...setting('shared_buffers', '32MB'),
      ...setting('min_wal_size', '32MB'),
      ...setting('max_wal_size', '64MB'),
    ],
  })
}

/** A checkpoint costs a few hundred milliseconds in which nobody is answered, a longer log a slower start. */
const LONGEST_LOG_BYTES = 48 * 1024 * 1024

/** PostgreSQL has a background process for this and PGlite has none: left alone the log grows for ever. */
export function shortenLog(engine: Engine): void {
  const grown = query('SELECT pg_current_wal_lsn() - redo_lsn FROM pg_control_checkpoint()')
  if (Number(firstValue(engine.run([grown]))) > LONGEST_LOG_BYTES) engine.run([query('CHECKPOINT')])
}

const setting = (name: string, value: string): string[] => ['-c', `${name}=${value}`]

const messageOf = (frame: Buffer): string => {
  for (let field = textAt(frame, 5); field.value; field = textAt(frame, field.next)) {
    if (field.value.startsWith('M')) return field.value.slice(1)
  }
  return 'an error without a message'
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncEntry(path)
  }
  syncEntry(folder)
}

function syncEntry(path: string): void {
  // Windows cannot open a folder, and its file system journals the entries.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
