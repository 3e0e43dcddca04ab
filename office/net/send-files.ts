export interface Dropped {
  /** With its folders: `Sea Song/1.mp3`. */
  readonly path: string
  readonly file: File
}

/** All files in what was dropped, also inside folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  // Read at once: the browser empties the list after the event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: Dropped[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

async function walk(entry: FileSystemEntry, found: Dropped[]): Promise<void> {
  if (isLitter(entry.name)) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
  } else if (isFolder(entry)) {
    const reader = entry.createReader()
    for (;;) {
      // A hundred at a time.
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      )
      if (some.length === 0) break
      for (const each of some) await walk(each, found)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isLitter = (name: string) => name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini'

export const chosenFiles = (files: FileList): Dropped[] =>
  [...files]
    .filter(({ name }) => !isLitter(name))
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))

export interface Sent {
  readonly path: string
  readonly bytes: number
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'lost' | 'arrived' | 'refused'
  readonly why?: string
}

const PIECE_BYTES = 1024 * 1024
const AT_ONCE = 2
/** A line that is away for long: the last pause repeats for an hour. */
const PAUSES_MS = [0, 1_000, 3_000, 5_000, ...Array.from({ length: 360 }, () => 10_000)]

/** Uploads files in chunks. A file whose upload began before a reload continues where it stopped. */
export async function sendFiles(
  batch: string,
  files: readonly Dropped[],
  onChange: (change: Sent) => void,
): Promise<void> {
  const { Upload, DetailedError } = await import('tus-js-client')
  const waiting = [...files]
  const sendOne = ({ path, file }: Dropped) =>
    new Promise<void>((resolve) => {
      const tell = (state: Sent['state'], sent: number, why?: string) =>
        onChange({ path, bytes: file.size, sent, state, ...(why ? { why } : {}) })
      let sent = 0
      const upload = new Upload(file, {
        endpoint: '/api/office/uploads',
        chunkSize: PIECE_BYTES,
        retryDelays: PAUSES_MS,
        metadata: { batch, path },
        removeFingerprintOnSuccess: true,
        fingerprint: () =>
          Promise.resolve(`office-upload ${batch} ${path} ${file.size} ${file.lastModified}`),
        onProgress: (bytes) => {
          sent = bytes
          tell('sending', bytes)
        },
        onShouldRetry: (error) => {
          const status = error.originalResponse?.getStatus() ?? 0
          const isPassing = status === 0 || status === 409 || status === 423 || status >= 500
          if (isPassing) tell('lost', sent)
          return isPassing
        },
        onError: (error) => {
          const words = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined
          tell('refused', 0, words && words.length < 300 ? words : 'It could not be sent.')
          resolve()
        },
        onSuccess: () => {
          tell('arrived', file.size)
          resolve()
        },
      })
      tell('sending', 0)
      void upload.findPreviousUploads().then(([before]) => {
        if (before) upload.resumeFromPreviousUpload(before)
        upload.start()
      })
    })
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
