import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = Parameters<NodeFS['init']>
type InitOptions = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** The part of Emscripten's NODEFS that PGlite leaves incomplete: it has no way to reach the disk. */
interface NodeFileSystem {
  stream_ops: { fsync?: (stream: { nfd?: number }) => number }
  tryFSOperation<T>(operation: () => T): T
}

/**
 * PGlite's own file system, but a commit waits for the disk.
 *
 * Without it every fsync of PostgreSQL returns success and does nothing: safe against a killed
 * process, not against power loss. Rests on Emscripten's internals, so PGlite is pinned to one exact
 * version and a test counts the calls.
 */
export class DurableFileSystem extends NodeFS {
  readonly #onSync: (() => void) | undefined

  /** @param onSync called for each fsync that reached the disk; for tests that count them. */
  constructor(folder: string, onSync?: () => void) {
    super(folder)
    this.#onSync = onSync
  }

  override async init(...[pglite, options]: Init): Promise<{ emscriptenOpts: InitOptions }> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const supplyFsync = (module: { NODEFS: NodeFileSystem }) => {
      const { NODEFS } = module
      NODEFS.stream_ops.fsync = (stream) => {
        // A failing disk must reach PostgreSQL as an error number: it then refuses the commit.
        NODEFS.tryFSOperation(() => {
          if (stream.nfd !== undefined) fsyncSync(stream.nfd)
        })
        this.#onSync?.()
        return 0
      }
    }
    // Emscripten calls each preRun function with its module, which the published type leaves out.
    const preRun = [...asList(emscriptenOpts.preRun), supplyFsync as unknown as () => void]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } as InitOptions }
  }
}

const asList = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
