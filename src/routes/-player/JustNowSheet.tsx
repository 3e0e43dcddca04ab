import { useEffect, useRef, useState } from 'react'
import type { InStep, Sentence } from '#features/in-step/in-step.ts'
import { useInStep } from '#features/in-step/use-in-step.ts'
import type { SheetPartProps } from '#features/player/ChaptersSheet.tsx'
import { type Chapter, chapterAt, jumpFrom, secondsIntoBook } from '#features/player/model.ts'
import { usePosition } from '#features/player/position.ts'
import { usePlayer } from '#features/player/store.ts'
import { clock, spokenClock } from '#format/clock.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './player.module.css'

const LAST_SECONDS = 300

/** The last five minutes as text. Nothing that comes after the listener's place is in the page. */
export function JustNowSheet({ open, onOpenChange }: SheetPartProps) {
  const title = usePlayer(({ state }) => state.title)
  const inStep = useInStep(title)
  const chapters = title?.chapters ?? []
  const [at] = useState<ChapterSeconds>(() => usePosition.getState())
  const paragraphs = inStep ? justNow(inStep, chapters, at) : []
  const end = useRef<HTMLParagraphElement>(null)
  const count = paragraphs.length
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [count])

  const play = (from?: ChapterSeconds) => {
    const { controls } = usePlayer.getState()
    if (from) controls?.goTo(from)
    controls?.play()
    onOpenChange(false)
  }
  const [first] = paragraphs
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="What happened just now"
      footer={
        <div className="stack gap-3">
          <Button look="beak" block onClick={() => play()}>
            Carry on from here
          </Button>
          {first && (
            <Button look="text" onClick={() => play({ chapter: first.chapter, seconds: first.seconds })}>
              Hear it again
            </Button>
          )}
        </div>
      }
    >
      {count === 0 ? (
        <p>You’ve only just begun.</p>
      ) : (
        <>
          <p className="quiet">The last five minutes, and not a word further.</p>
          <ol role="list" className={styles.justNow}>
            {paragraphs.map(({ chapter, seconds, words, isCertain }, index) => (
              <li key={`${chapter} ${seconds}`}>
                {chapter !== paragraphs[index - 1]?.chapter && (
                  <p className={styles.justNowChapter}>{chapterAt(chapters, chapter)?.title}</p>
                )}
                <button type="button" className={styles.paragraph} onClick={() => play({ chapter, seconds })}>
                  {isCertain ? (
                    <span className={styles.when}>
                      <span aria-hidden="true">{clock(seconds)}</span>
                      <VisuallyHidden>{spokenClock(seconds)}</VisuallyHidden>
                    </span>
                  ) : (
                    <span className={styles.when}>About</span>
                  )}
                  <span>{words}</span>
                </button>
              </li>
            ))}
          </ol>
          <p ref={end} className={styles.youAreHere}>
            You are here
          </p>
        </>
      )}
    </Sheet>
  )
}

interface Paragraph {
  readonly chapter: number
  readonly seconds: number
  readonly words: string
  /** False if one of its sentences is only about there. */
  readonly isCertain: boolean
}

/** The sentences that began in the last five minutes before a place, in paragraphs. */
export function justNow(
  inStep: InStep,
  chapters: readonly Chapter[],
  at: ChapterSeconds,
): readonly Paragraph[] {
  const from = secondsIntoBook(chapters, jumpFrom(chapters, at, -LAST_SECONDS))
  const to = secondsIntoBook(chapters, at)
  const heard = inStep.chapters
    .filter(({ number }) => chapterAt(chapters, number))
    .flatMap(({ sentences }) => sentences)
    .filter(({ chapter, start }) => {
      const into = secondsIntoBook(chapters, { chapter, seconds: start })
      return into >= from && into < to
    })
  const paragraphs: Paragraph[] = []
  let last: string | undefined
  for (const sentence of heard) {
    const { chapter, start, words, isCertain } = sentence
    const before = paragraphs.at(-1)
    if (before && before.chapter === chapter && last === paragraphOf(sentence))
      paragraphs[paragraphs.length - 1] = {
        ...before,
        words: `${before.words} ${words}`,
        isCertain: before.isCertain && isCertain,
      }
    else paragraphs.push({ chapter, seconds: start, words, isCertain })
    last = paragraphOf(sentence)
  }
  return paragraphs
}

/** The element that a sentence's CFI is in: `epubcfi(/6/4!/4/2/6,/1:0,/1:57)`. */
const paragraphOf = ({ cfi }: Sentence) => cfi.slice(0, cfi.indexOf(','))
