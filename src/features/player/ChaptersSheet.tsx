import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { ChapterList } from './ChapterList.tsx'
import styles from './Sheets.module.css'
import { sheetStyle, type SheetPartProps } from './sheet-style.ts'
import { usePlayer } from './store.ts'
import { useDownload, useTitleTheme } from './use-player.ts'

export function ChaptersSheet({ open, onOpenChange }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Chapters" tone="title" style={sheetStyle(theme)}>
      <div className={styles.chapters}>
        <DownloadAll />
        <ChapterList onChosen={() => onOpenChange(false)} />
      </div>
    </Sheet>
  )
}

function DownloadAll() {
  const title = usePlayer((store) => store.state.title)
  const desk = usePlayer((store) => store.player?.ports.downloads)
  const { state, share } = useDownload(title)
  if (title?.kind !== 'book' || state === 'done') return null
  return (
    <div className={styles.all}>
      {state === 'running' ? (
        <Button look="quiet" tone="title" block onClick={() => desk?.stop(title.slug)}>
          Stop download ({Math.floor(share * 100)}%)
        </Button>
      ) : (
        <Button look="quiet" tone="title" block onClick={() => desk?.start(title.slug)}>
          {state === 'failed' ? 'Try again to download all' : 'Download all chapters'}
        </Button>
      )}
    </div>
  )
}
