import { listHoldings } from '#storage/inventory.ts'
import { readWhole } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { writeZip, type ZipEntry } from './zip.ts'

interface FileHandle {
  createWritable: () => Promise<{ write: (bytes: Uint8Array) => Promise<void>; close: () => Promise<void> }>
}
declare global {
  /** Chromium's alone. */
  var showSaveFilePicker: ((options: { suggestedName: string }) => Promise<FileHandle>) | undefined
}

/**
 * Saves one zip with the chapters that are on this device (PLAY-04). Straight into a file where the browser can
 * write one, else as a file built in memory.
 *
 * @throws {Error} when no chapter of the book is here.
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
    // Closed without choosing: the listener changed their mind.
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
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/zip' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${slug}.zip`
  link.click()
  // Long enough for a browser that asks where to put it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const ENDINGS: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
}

/** Sorts as it is heard: "03 The Lamp Goes Out.mp3". */
function fileName(chapter: number, name: string, type: string) {
  const plain = name
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const ending = ENDINGS[type.split(';')[0] ?? ''] ?? 'mp3'
  return `${String(chapter).padStart(2, '0')}${plain ? ` ${plain}` : ''}.${ending}`
}
