import { lazy } from 'react'
import { titleKey } from '#device/title-key.ts'
import { usePlayer } from '#features/player/store.ts'

const RemoveQuestion = lazy(async () => ({
  default: (await import('#features/downloads/RemoveQuestion.tsx')).RemoveQuestion,
}))

interface StopDownloadProps {
  slug: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The question of the library's button, over the player. */
export function StopDownload({ slug, ...shown }: StopDownloadProps) {
  const name = usePlayer((store) => store.state.title?.title)
  return <RemoveQuestion titleKey={titleKey('audio', slug)} of={name ?? 'this book'} {...shown} />
}
