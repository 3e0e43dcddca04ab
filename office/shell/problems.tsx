import { useRouter } from '@tanstack/react-router'
import { LinkButton } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Failed } from '../ui/states.tsx'

export function FailedPage({ error }: { readonly error: unknown }) {
  const router = useRouter()
  return (
    <div className="alone">
      <Page title="Office">
        <Failed what="The office" problem={error} onRetry={() => void router.invalidate()} />
      </Page>
    </div>
  )
}

export const NotForRole = () => (
  <Page
    title="This isn’t for your role."
    sub="An owner can change what you do under Team. What you can open is in the list."
  >
    {null}
  </Page>
)

export const MissingPage = () => (
  <div className="alone">
    <Page title="There’s nothing here." sub="The address may be mistyped, or what was here is gone.">
      <LinkButton look="solid" to="/">
        Go to the first page
      </LinkButton>
    </Page>
  </div>
)
