import { usePosition } from './position.ts'
import { usePlayer } from './store.ts'
import { bookTimeline, chapterTimeline, type Timeline } from './timeline.ts'

/** The line that figures and scrubber share: the chapter's, or the book's where the listener asked for it. */
export function useTimeline(): Timeline {
  const position = usePosition()
  const chapters = usePlayer((store) => store.state.title?.chapters)
  const whole = usePlayer((store) => store.wholeBook)
  return whole && chapters && chapters.length > 1
    ? bookTimeline(chapters, position)
    : chapterTimeline(position)
}
