import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { toast } from '#ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { until } from '../../ui/when.ts'

interface Invited {
  readonly link: string
  readonly isMailed: boolean
  readonly expiresAt: string
}

/** The only time that the link is shown: the shop stores its hash. */
export function LinkToHandOver({ invited: { link, isMailed, expiresAt } }: { readonly invited: Invited }) {
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    toast('Copied.')
  }
  return (
    <div className="note" role="status">
      <p>
        {isMailed
          ? 'We’ve sent them an email with this link.'
          : 'No email is set up, so hand this link over yourself.'}{' '}
        It works once, until {until(expiresAt)}, and isn’t shown again.
      </p>
      <p>
        <code className="link-text">{link}</code>
      </p>
      <Button compact icon={CopyIcon} onClick={() => void copy()}>
        Copy the link
      </Button>
    </div>
  )
}
