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
  readonly #fsync: (descriptor: number) => void

  /** @param fsync what brings a file to the disk; tests count and refuse */
  constructor(folder: string, fsync: (descriptor: number) => void = fsyncSync) {
    super(folder)
    this.#fsync = fsync
  }

  override async init(...[pglite, options]: Init): Promise<{ emscriptenOpts: InitOptions }> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const supplyFsync = (module: { NODEFS: NodeFileSystem }) => {
      const { NODEFS } = module
      NODEFS.stream_ops.fsync = (stream) => {
        // A failing disk must reach PostgreSQL as an error number: it then refuses the commit.
        NODEFS.tryFSOperation(() => {
          if (stream.nfd !== undefined) this.#fsync(stream.nfd)
        })
        return 0
      }
    }
    // Emscripten calls each preRun function with its module, which the published type leaves out.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands in its module, which its types leave out
    const preRun = [...asList(emscriptenOpts.preRun), supplyFsync as unknown as () => void]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

const asList = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
