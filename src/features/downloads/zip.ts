import JSZip from 'jszip'

export interface ZipEntry {
  name: string
  /** Called when its turn has come, so that about one chapter at a time is in memory. */
  read: () => Promise<ArrayBuffer>
}

/** Where the zip goes; resolves when it may be given more. */
export type ZipSink = (bytes: Uint8Array) => Promise<void> | void

/**
 * Writes an uncompressed zip piece by piece: sound does not shrink. The next entry is read when the one before
 * it has begun to come out.
 */
export async function writeZip(entries: readonly ZipEntry[], write: ZipSink): Promise<void> {
  const zip = new JSZip()
  const turns = entries.map(({ name, read }, index) => {
    let begin = () => {}
    const content = new Promise<ArrayBuffer>((resolve, reject) => {
      begin = () => void read().then(resolve, reject)
    })
    // Caught here too: a chapter that fails before its turn must not be an unhandled rejection.
    content.catch(() => undefined)
    zip.file(name, content, { compression: 'STORE' })
    return { index, name, begin: once(() => begin()) }
  })
  const place = new Map(turns.map(({ name, index }) => [name, index]))
  turns[0]?.begin()

  await new Promise<void>((resolve, reject) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types leave this out
    const stream = (zip as unknown as Streams).generateInternalStream({
      type: 'uint8array',
      compression: 'STORE',
    })
    stream.on('data', (bytes, { currentFile }) => {
      if (currentFile) turns[(place.get(currentFile) ?? 0) + 1]?.begin()
      const written = write(bytes)
      if (!written) return
      stream.pause()
      written.then(() => stream.resume(), reject)
    })
    stream.on('error', reject)
    stream.on('end', resolve)
    stream.resume()
  })
}

/** JSZip's own streaming, which its types leave out. */
interface Streams {
  generateInternalStream: (options: { type: 'uint8array'; compression: 'STORE' }) => {
    on(kind: 'data', listener: (bytes: Uint8Array, meta: { currentFile: string | null }) => void): void
    on(kind: 'error', listener: (failure: Error) => void): void
    on(kind: 'end', listener: () => void): void
    pause: () => void
    resume: () => void
  }
}

function once(run: () => void) {
  let done = false
  return () => {
    if (done) return
    done = true
    run()
  }
}
