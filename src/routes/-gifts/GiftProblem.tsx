import { NetProblem } from '#net/problem.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Outcome } from '#routes/-layout/Outcome.tsx'

interface GiftProblemProps {
  /** Why it can't be opened; without one the link opens nothing. */
  problem?: unknown
  busy?: boolean
  onRetry?: () => void
}

/** A gift that doesn't open, and what to do about it. */
export function GiftProblem({ problem, busy = false, onRetry }: GiftProblemProps) {
  if (problem instanceof NetProblem && problem.status === 422) return <NoLonger why={problem.description} />
  if (problem !== undefined)
    return (
      <Outcome
        name="Your gift"
        title="We can’t open your gift just now."
        words="It’s still there for you. Please try again in a moment."
        ways={
          <Button look="solid" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        }
      />
    )
  return (
    <Outcome
      name="Your gift"
      title="We can’t find this gift."
      words="The link may be incomplete, or the gift was taken back. You can also log in and use the code from the same email, in your library or under Your membership."
      ways={<Help />}
    />
  )
}

/** A link that was replaced says so kindly; one that lapsed says that. */
const NoLonger = ({ why }: { why: string }) =>
  why.includes('new link') ? (
    <Outcome
      name="Your gift"
      title="A new link was sent."
      words="Your gift is waiting; only this link has been replaced. Open the newest email about it, and look in your junk mail if it isn’t there."
      ways={<Help />}
    />
  ) : (
    <Outcome
      name="Your gift"
      title="This gift has lapsed."
      words="It could be claimed for 24 months, and that time is over. We’re sorry it didn’t reach you sooner."
      ways={<Help />}
    />
  )

const Help = () => (
  <LinkButton to="/info/$slug" params={{ slug: 'support' }} look="solid">
    Ask for help
  </LinkButton>
)
