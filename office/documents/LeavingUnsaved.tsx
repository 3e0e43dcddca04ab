import { useBlocker } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { Button } from '../ui/Button.tsx'

const Dialog = lazyPart(() => import('#ui/Dialog.tsx'), 'Dialog')

/** Asks before a page is left whose text the shop doesn't have yet. Its drawers are a part of the page. */
export function LeavingUnsaved({ page, isUnsaved }: { readonly page: string; readonly isUnsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isUnsaved && next.pathname !== page && !next.pathname.startsWith(`${page}/`),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <Dialog
        open
        onOpenChange={(open) => !open && blocker.reset()}
        title="Leave before it is saved?"
        closeLabel="Stay"
        actions={
          <Button look="solid" onClick={blocker.proceed}>
            Leave
          </Button>
        }
      >
        <p>
          The shop doesn’t have your last words yet. They are kept on this device until you open this again.
        </p>
      </Dialog>
    </Suspense>
  )
}
