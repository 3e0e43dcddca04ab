import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { Button } from '#ui/Button.tsx'

/** Needed by few, and by nobody before a press. */
const TellMeForm = lazyPart(() => import('./TellMeForm.tsx'), 'TellMeForm')

interface TellMeProps {
  slug: string
  /** What the button is about: a title that is to come, or the series. */
  of: string
  online: boolean
  children: string
}

/** One mail when the next title is out, for whoever asks for it. */
export function TellMe({ slug, of, online, children }: TellMeProps) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        aria-label={children === 'Tell me' ? `Tell me when ${of} is out` : undefined}
        disabledReason={online ? undefined : 'Needs a connection'}
        onClick={() => setAsked(true)}
      >
        {children}
      </Button>
      {asked && (
        <Suspense>
          <TellMeForm slug={slug} of={of} onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}
