import { saveFile } from '#ui/save-file.ts'
import { listHoldings } from '#storage/inventory.ts'
import { readWhole } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import JSZip from 'jszip'

interface FileHandle {
  createWritable: () => Promise<{ write: (bytes: Uint8Array) => Promise<void>; close: () => Promise<void> }>
}
declare global {
  /** Only in Chromium. */
  var showSaveFilePicker: ((options: { suggestedName: string }) => Promise<FileHandle>) | undefined
}

/**
 * Saves a zip of the chapters on this device (PLAY-04). Writes straight into a file if the browser can, else
 * builds it in memory.
 *
 * @throws {Error} if no chapter of the book is stored.
 */
export async function saveStoredZip(ownerUuid: string, slug: string): Promise<void> {
  const key = titleKey('audio', slug)
  const holding = (await listHoldings(ownerUuid)).find(({ title }) => title.key === key)
  if (!holding || holding.files.length === 0) throw new Error('No chapter of this book is on the device')

  const names = new Map(holding.title.files.map(({ chapter, name }) => [chapter, name]))
  const files = holding.files.toSorted((a, b) => a.chapter - b.chapter)
  const entries = files.map(({ chapter, type }): ZipEntry => ({
    name: fileName(chapter, names.get(chapter) ?? '', type),
    read: async () => {
      const bytes = await readWhole(ownerUuid, key, chapter)
      if (!bytes) throw new Error('A chapter vanished from the device')
      return bytes
    },
  }))

  const picker = globalThis.showSaveFilePicker
  if (picker) {
    const handle = await picker({ suggestedName: `${slug}.zip` }).catch(() => undefined)
    // The listener closed the dialog without choosing.
    if (!handle) return
    const file = await handle.createWritable()
    await writeZip(entries, (bytes) => file.write(bytes))
    return file.close()
  }
  await saveAsBlob(entries, slug)
}

async function saveAsBlob(entries: readonly ZipEntry[], slug: string) {
  const parts: Blob[] = []
  await writeZip(entries, (bytes) => void parts.push(new Blob([new Uint8Array(bytes)])))
  saveFile(new Blob(parts, { type: 'application/zip' }), `${slug}.zip`)
}

const ENDINGS: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
}

/** Sorts in listening order: "03 The Lamp Goes Out.mp3". */
function fileName(chapter: number, name: string, type: string) {
  const plain = name
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const ending = ENDINGS[type.split(';')[0] ?? ''] ?? 'mp3'
  return `${String(chapter).padStart(2, '0')}${plain ? ` ${plain}` : ''}.${ending}`
}

interface ZipEntry {
  name: string
  /** Called when the entry's turn has come, so that about one chapter at a time is in memory. */
  read: () => Promise<ArrayBuffer>
}

/** Receives the zip; resolves when it can take more. */
type ZipSink = (bytes: Uint8Array) => Promise<void> | void

/**
 * Streams an uncompressed zip: sound does not shrink. The next entry is read once the previous one has begun
 * to be written.
 */
export async function writeZip(entries: readonly ZipEntry[], write: ZipSink): Promise<void> {
  const zip = new JSZip()
  const turns = entries.map(({ name, read }, index) => {
    let begin = () => {}
    const content = new Promise<ArrayBuffer>((resolve, reject) => {
      begin = () => void read().then(resolve, reject)
    })
    // Also handled here: a chapter that fails before its turn must not be an unhandled rejection.
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
