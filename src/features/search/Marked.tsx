import { markedWords } from './model.ts'
import styles from './search.module.css'

/** A text with the words marked that were searched for. */
export const Marked = ({ text, keyword }: { text: string; keyword: string }) =>
  markedWords(text, keyword).map(({ words, isMarked }, at) =>
    isMarked ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text, which never move
      <mark key={at} className={styles.marked}>
        {words}
      </mark>
    ) : (
      words
    ),
  )
