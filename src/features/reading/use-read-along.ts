import { useEffect, useState } from 'react'
import type { InStep, Sentence } from '#features/in-step/in-step.ts'
import type { BookToRead } from './use-book.ts'

/** What read-along needs of the audiobook, once its file is known to describe the opened text. */
export interface Along {
  readonly inStep: InStep
  /** The sentence that contains a position. */
  readonly around: (locator: string) => Sentence | undefined
  /** The first sentence that begins on a page. */
  readonly from: (locator: string) => Sentence | undefined
}

/** Undefined until it is known, and for a book that can't be heard in step. */
export function useReadAlong(
  { ownerUuid, audioBook }: Pick<BookToRead, 'ownerUuid' | 'audioBook'>,
  file: File | undefined,
): Along | undefined {
  const [along, setAlong] = useState<Along>()
  useEffect(() => {
    if (!audioBook || !file) return undefined
    let isMounted = true
    const open = async () => {
      const [{ inStepOf }, { sentenceAround, firstSentenceFrom }, { sha256 }] = await Promise.all([
        import('#features/in-step/in-step.ts'),
        import('#features/in-step/switch.ts'),
        import('#storage/sound-store.ts'),
      ])
      const inStep = await inStepOf(ownerUuid, audioBook)
      // Another edition of the text would get marks at wrong sentences.
      if (!inStep?.text || inStep.text !== (await sha256(await file.arrayBuffer()))) return
      if (isMounted)
        setAlong({
          inStep,
          around: (locator) => sentenceAround(inStep, locator),
          from: (locator) => firstSentenceFrom(inStep, locator),
        })
    }
    // Reading along is optional, so its failure is ignored.
    open().catch(() => undefined)
    return () => {
      isMounted = false
      setAlong(undefined)
    }
  }, [ownerUuid, audioBook, file])
  return along
}
