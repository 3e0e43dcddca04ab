import { coverPath, mediaPath, typeOf } from '../../integrations/media/paths.ts'
import type { Shop } from '../../shop.ts'
import type { OwnedSound } from './queries.ts'
import { fileName } from './send-file.ts'
import type { ZipEntry } from './zip.ts'

/**
 * Every chapter under a name that sorts in the order of the book, the cover, and a manifest by which players know the zip
 * as an audiobook. @throws MissingMedia if the store lacks a chapter
 */
export async function audiobookEntries(
  { media, config }: Pick<Shop, 'media' | 'config'>,
  sound: OwnedSound,
): Promise<ZipEntry[]> {
  const { mediaEntry, textEntry } = await import('./zip.ts')
  const width = Math.max(2, String(sound.chapters.at(-1)?.number ?? 0).length)
  const chapters = await Promise.all(
    sound.chapters.map(({ number, title, sha256, extension }) =>
      mediaEntry(
        media,
        fileName(`${String(number).padStart(width, '0')} ${title}`, extension),
        mediaPath({ sha256, extension }),
      ),
    ),
  )
  const cover =
    sound.coverId === null
      ? undefined
      : await mediaEntry(media, 'cover.jpg', coverPath(sound.coverId, '900.jpg')).catch(() => undefined)
  const manifest = textEntry(MANIFEST, manifestOf(sound, chapters, cover, config.publicUrl))
  return [...chapters, ...(cover ? [cover] : []), manifest]
}

/** Of the Readium Audiobook Profile, by which players such as Thorium open a zip as a book. */
const CONTEXT = 'https://readium.org/webpub-manifest/context.jsonld'
const PROFILE = 'https://readium.org/webpub-manifest/profiles/audiobook'

function manifestOf(
  { title, slug, authors, narrators, publisher, chapters: parts }: OwnedSound,
  chapters: readonly ZipEntry[],
  cover: ZipEntry | undefined,
  origin: string,
): string {
  const manifest = {
    '@context': CONTEXT,
    metadata: {
      '@type': 'http://schema.org/Audiobook',
      conformsTo: PROFILE,
      identifier: `${origin}/audiobooks/${slug}`,
      title,
      author: authors,
      readBy: narrators,
      ...(publisher ? { publisher } : {}),
      duration: parts.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    },
    links: [{ rel: 'self', href: MANIFEST, type: 'application/audiobook+json' }],
    readingOrder: chapters.map(({ name }, index) => ({
      href: encodeURIComponent(name),
      type: typeOf(name),
      title: parts[index]!.title,
      duration: parts[index]!.durationMs / 1000,
    })),
    resources: cover ? [{ rel: 'cover', href: cover.name, type: typeOf(cover.name) }] : [],
  }
  return JSON.stringify(manifest, null, 2)
}

const MANIFEST = 'manifest.json'
