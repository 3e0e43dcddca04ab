import { BookmarkSimpleIcon } from '@phosphor-icons/react/dist/csr/BookmarkSimple'
import { ListBulletsIcon } from '@phosphor-icons/react/dist/csr/ListBullets'
import { MoonIcon } from '@phosphor-icons/react/dist/csr/Moon'
import { Icon } from '#ui/Icon.tsx'
import { DownloadTool } from './DownloadTool.tsx'
import type { Panel } from './panel.ts'
import type { SleepState } from './sleep-timer.ts'
import { speedLabel } from './speed.ts'
import { usePlayer } from './store.ts'
import { Tool } from './Tool.tsx'
import styles from './Tools.module.css'
import { useShowsChapters } from './use-player.ts'

export interface ToolsProps {
  onOpen: (panel: Panel) => void
  onBookmark: () => void
}

export function Tools({ onOpen, onBookmark }: ToolsProps) {
  const title = usePlayer((store) => store.state.title)
  const speed = usePlayer((store) => store.state.speed)
  const sleep = usePlayer((store) => store.sleep)
  const showsChapters = useShowsChapters(title)
  if (!title) return null
  return (
    <div className={styles.tools}>
      <Tool label={`${speedLabel(speed)} Speed`} onPress={() => onOpen('speed')}>
        <span className={styles.number}>{speedLabel(speed)}</span> Speed
      </Tool>
      <Tool
        label={`${sleepWords(sleep)}${sleep.choice ? ', sleep timer' : ' timer'}`}
        onPress={() => onOpen('sleep')}
      >
        <Icon of={MoonIcon} filled={sleep.choice !== undefined} />
        {sleepWords(sleep)}
      </Tool>
      {showsChapters && (
        <Tool label="Chapters" onPress={() => onOpen('chapters')}>
          <Icon of={ListBulletsIcon} />
          Chapters
        </Tool>
      )}
      {title.kind === 'book' && (
        <>
          <Tool label="Bookmark this place" onPress={onBookmark}>
            <Icon of={BookmarkSimpleIcon} />
            Bookmark
          </Tool>
          <DownloadTool title={title} onStop={() => onOpen('stopDownload')} />
        </>
      )}
    </div>
  )
}

/** "24 min", "Chapter end", or the name of the tool. */
export const sleepWords = ({ choice, leftSeconds }: SleepState): string => {
  if (!choice) return 'Sleep'
  if (choice.kind === 'nextChapter') return 'Next chapter end'
  return leftSeconds === undefined ? 'Chapter end' : `${Math.ceil(leftSeconds / 60)} min`
}
