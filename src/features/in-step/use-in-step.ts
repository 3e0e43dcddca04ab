import { useEffect, useMemo, useState } from 'react'
import { useSession } from '#session/store.ts'
import type { InStep } from './in-step.ts'

interface TitleInStep {
  readonly kind: string
  readonly slug: string
  readonly eBook?: string
  readonly chapters: readonly { readonly number: number; readonly sound?: string }[]
}

/** Undefined until it is known, and for a title without an e-book that the listener owns. */
export function useInStep(title: TitleInStep | undefined): InStep | undefined {
  const owner = useSession((state) => state.owner?.uuid)
  const slug = title?.kind === 'book' && title.eBook ? title.slug : undefined
  const [found, setFound] = useState<{
    of: string
    inStep: InStep
    ofSound: typeof import('./in-step.ts').ofSound
  }>()
  useEffect(() => {
    if (!slug || !owner) return undefined
    let isMounted = true
    const load = async () => {
      const { inStepOf, ofSound } = await import('./in-step.ts')
      const inStep = await inStepOf(owner, slug)
      if (isMounted && inStep?.eBook) setFound({ of: slug, inStep, ofSound })
    }
    // Without it the title is only not in step.
    load().catch(() => undefined)
    return () => {
      isMounted = false
    }
  }, [slug, owner])
  const chapters = title?.chapters
  return useMemo(
    () => (found && found.of === slug && chapters ? found.ofSound(found.inStep, chapters) : undefined),
    [found, slug, chapters],
  )
}
