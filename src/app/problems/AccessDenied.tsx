import { useSession } from '#session/store.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../menus/NavLink.tsx'

/** `from` is the requested page, to which the login returns. */
export function AccessDenied({ from }: { from?: string | undefined }) {
  const signedIn = useSession((state) => state.status === 'user')
  // Logging in would not help: the book isn't published yet, or the page belongs to another account.
  if (signedIn)
    return (
      <ErrorScreen
        title="This page isn’t open yet"
        actions={
          <>
            <ShellButton to="/browse" look="beak">
              Browse the shop
            </ShellButton>
            <ShellButton to="/" look="text">
              Home
            </ShellButton>
          </>
        }
      >
        <p>
          If you’re here for a book, it isn’t out yet. Come back soon; there’s plenty to listen to until then.
        </p>
      </ErrorScreen>
    )
  return (
    <ErrorScreen
      title="This page needs an account"
      actions={
        <>
          <ShellButton to="/login" search={from ? { from } : undefined} look="beak">
            Log in
          </ShellButton>
          <ShellButton to="/" look="text">
            Home
          </ShellButton>
        </>
      }
    >
      <p>Log in and we’ll bring you straight back to it.</p>
    </ErrorScreen>
  )
}
