import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { type InStep, type Sentence, sentenceAt } from '#features/in-step/in-step.ts'
import { chapterAt } from '#features/player/model.ts'
import { usePosition } from '#features/player/position.ts'
import { usePlayer } from '#features/player/store.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './player.module.css'

/** A single letter occurs in every line. */
const LEAST_LETTERS = 2
const FOUND_AT_MOST = 50
/** After a scroll by hand the list stays where it is. */
const STAYS_MS = 8_000

/** The text of the book in place of the cover: a press on a sentence plays from it. */
export function BookText({ inStep }: { inStep: InStep }) {
  const [query, setQuery] = useState('')
  const words = query.trim()
  const found = useMemo(() => findSentences(inStep, words), [inStep, words])
  return (
    <section className={styles.text} aria-label="Text">
      <input
        type="search"
        className={styles.find}
        aria-label="Find words in this book"
        placeholder="Find words in this book"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className={styles.foundWords}>
        {found && (found.length === 0 ? 'Not in this book. Try one word.' : foundWords(found.length))}
      </p>
      {found ? <Found sentences={found} onGo={() => setQuery('')} /> : <Lines inStep={inStep} />}
    </section>
  )
}

const foundWords = (count: number) =>
  count >= FOUND_AT_MOST ? `The first ${FOUND_AT_MOST} places` : count === 1 ? '1 place' : `${count} places`

/** Ignores case and accents. Undefined for too few letters. */
export function findSentences(inStep: InStep, words: string): readonly Sentence[] | undefined {
  if (words.length < LEAST_LETTERS) return undefined
  const sought = plain(words)
  return inStep.chapters
    .flatMap(({ sentences }) => sentences)
    .filter((sentence) => plain(sentence.words).includes(sought))
    .slice(0, FOUND_AT_MOST)
}

const plain = (words: string) =>
  words
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

function Found({ sentences, onGo }: { sentences: readonly Sentence[]; onGo: () => void }) {
  const chapters = usePlayer(({ state }) => state.title?.chapters ?? [])
  return (
    <ol role="list" className={styles.sentences}>
      {sentences.map((sentence) => (
        <li key={`${sentence.chapter} ${sentence.start}`}>
          <button
            type="button"
            className={styles.sentence}
            onClick={() => {
              playFrom(sentence)
              onGo()
            }}
          >
            <span className={styles.markSoft}>
              {chapterAt(chapters, sentence.chapter)?.title}, {sentence.isCertain ? '' : 'about '}
              <span aria-hidden="true">{clock(sentence.start)}</span>
              <VisuallyHidden>{spokenClock(sentence.start)}</VisuallyHidden>
            </span>
            <span>{sentence.words}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** The sentences of this chapter. The list keeps the spoken one a third below its top. */
function Lines({ inStep }: { inStep: InStep }) {
  const chapter = usePosition((at) => at.chapter)
  const spoken = usePosition((at) => (at.chapter > 0 ? sentenceAt(inStep, at) : undefined))
  const sentences = inStep.chapters.find(({ number }) => number === chapter)?.sentences ?? []
  const list = useRef<HTMLOListElement>(null)
  const scrolledAtMs = useRef(-STAYS_MS)
  useEffect(() => {
    const onScroll = () => void (scrolledAtMs.current = performance.now())
    const shown = list.current
    for (const name of ['wheel', 'touchmove']) shown?.addEventListener(name, onScroll, { passive: true })
    return () => {
      for (const name of ['wheel', 'touchmove']) shown?.removeEventListener(name, onScroll)
    }
  }, [chapter])

  useEffect(() => {
    const line = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !line || performance.now() - scrolledAtMs.current < STAYS_MS) return
    const top = line.offsetTop - list.current.clientHeight / 3
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    const isShown = line.offsetTop >= list.current.scrollTop && bottomOf(line) <= bottomOfView(list.current)
    // Without motion the list jumps by a screen instead of gliding.
    if (!still || !isShown) list.current.scrollTo({ top, behavior: still ? 'instant' : 'smooth' })
  }, [spoken])

  if (sentences.length === 0) return <p className={styles.none}>This part isn’t in the book’s text.</p>
  return (
    <ol ref={list} role="list" className={styles.sentences}>
      {sentences.map((sentence, index) => (
        <li key={sentence.start}>
          <button
            type="button"
            className={styles.sentence}
            data-about={!sentence.isCertain}
            aria-current={sentence === spoken ? 'true' : undefined}
            // One stop for Tab; the arrow keys move between sentences.
            tabIndex={sentence === (spoken ?? sentences[0]) ? 0 : -1}
            onKeyDown={(event) => {
              if (moveFocus(event)) scrolledAtMs.current = performance.now()
            }}
            onClick={() => playFrom(sentence)}
          >
            {sentence.words}
            {!sentence.isCertain && sentences[index - 1]?.isCertain !== false && (
              <span className={styles.markSoft}>About here</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

const bottomOf = (line: HTMLElement) => line.offsetTop + line.offsetHeight
const bottomOfView = (list: HTMLElement) => list.scrollTop + list.clientHeight

function playFrom({ chapter, start }: Sentence) {
  const { controls } = usePlayer.getState()
  controls?.goTo({ chapter, seconds: start })
  controls?.play()
}

function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false
  const item = document.activeElement?.closest('li')
  const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling
  next?.querySelector('button')?.focus()
  // The player takes arrow keys for the volume.
  event.preventDefault()
  event.stopPropagation()
  return true
}
