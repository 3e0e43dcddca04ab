/** The worker answers a stored chapter here, apart from `/media/`, which it never touches (trap 5). */
export const soundPath = (ownerUuid: string, slug: string, chapter: number) =>
  `/device/sound/${ownerUuid}/${slug}/${chapter}`

const PATH = /^\/device\/sound\/([0-9a-f-]{36})\/([^/]+)\/(\d+)$/

export function parseSoundPath(pathname: string) {
  const found = PATH.exec(pathname)
  if (!found) return undefined
  const [, ownerUuid = '', slug = '', chapter = ''] = found
  return { ownerUuid, slug: decodeURIComponent(slug), chapter: Number(chapter) }
}
