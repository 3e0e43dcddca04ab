import type { Shown } from '#features/library/view.ts'
import { firstShelf } from '#features/shop-details/shop.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Empty } from '#ui/Empty.tsx'

/** Not the empty library: we could not ask. */
const NotReached = ({ onRetry }: { onRetry: () => void }) => (
  <Empty
    title="We couldn’t reach your library."
    help="Everything in it is still yours, and your downloads still play."
    action={
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
    }
  />
)

const HELP: Partial<Record<Shown, [title: string, help: string]>> = {
  downloaded: ['Nothing on this device yet.', 'Press the arrow beside a title and it’ll play in any tunnel.'],
  begun: ['Nothing begun.', 'Every book you own is either finished or waiting for its first minute.'],
  unheard: ['You’ve begun them all.', 'What you have finished can always be heard again.'],
}

interface NothingHereProps {
  show: Shown
  looksFor: string
  /** The server did not answer, and this device knows nothing. */
  isUnreached: boolean
  onRetry: () => void
}

/** Why no title is shown, and what may help. */
export function NothingHere({ show, looksFor, isUnreached, onRetry }: NothingHereProps) {
  if (isUnreached) return <NotReached onRetry={onRetry} />
  if (looksFor !== '')
    return (
      <Empty title={`Nothing like “${looksFor}” here.`} help="Try one word of its title, or who reads it." />
    )
  if (show !== 'all') {
    const [title, help] = HELP[show] ?? ['Nothing on this shelf yet.', 'Try one of the others.']
    return <Empty title={title} help={help} />
  }
  return (
    <Empty
      title="Your library is empty. The shelves aren’t."
      help="Whatever you choose stays here for good."
      action={
        <LinkButton to={firstShelf().to} look="beak">
          {firstShelf().words}
        </LinkButton>
      }
    />
  )
}
