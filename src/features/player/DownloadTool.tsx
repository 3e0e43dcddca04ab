import { DownloadGlyph } from '#ui/DownloadGlyph.tsx'
import { toast } from '#ui/toast.ts'
import type { Playable } from './model.ts'
import type { DownloadView } from './ports.ts'
import { usePlayer } from './store.ts'
import { Tool } from './Tool.tsx'
import { useDownload } from './use-player.ts'

interface DownloadToolProps {
  title: Playable
  /** Much of it is here already: its listener is asked. */
  onStop: () => void
}

/** Download, stop, or know that it is here; removing is the downloads page's business. */
export function DownloadTool({ title, onStop }: DownloadToolProps) {
  const desk = usePlayer((store) => store.player?.ports.downloads)
  const view = useDownload(title)
  const words = downloadWords(view)
  const press = () => {
    if (view.state === 'running' && view.asksFirst) onStop()
    else if (view.state === 'running') desk?.stop(title.slug)
    else if (view.state === 'done') toast('Saved for the train.')
    else desk?.start(title.slug)
  }
  return (
    <Tool label={LABELS[view.state](words)} onPress={press}>
      <DownloadGlyph
        state={view.state === 'running' ? 'downloading' : view.state}
        share={view.share}
        size={24}
      />
      {words}
    </Tool>
  )
}

export const downloadWords = ({ state, share }: DownloadView): string =>
  ({ none: 'Download', running: `${Math.floor(share * 100)}%`, done: 'Saved', failed: 'Try again' })[state]

const LABELS: Record<DownloadView['state'], (words: string) => string> = {
  none: () => 'Download book',
  running: (words) => `${words}, stop download`,
  done: () => 'Saved on this device',
  failed: () => 'Try again to download',
}
