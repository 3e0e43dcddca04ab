import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from './ShellButton.tsx'

/** For a page that this device has never seen, without a connection. */
export function OfflineScreen({ onRetry }: { onRetry?: (() => void) | undefined }) {
  return (
    <ErrorScreen
      title="This page needs a connection"
      name="Offline"
      actions={
        <>
          <ShellButton to="/library" look="beak">
            Open your library
          </ShellButton>
          {onRetry && (
            <Button look="text" onClick={onRetry}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <p>You’re offline, and we haven’t kept this one for you. Your downloads still play.</p>
    </ErrorScreen>
  )
}
