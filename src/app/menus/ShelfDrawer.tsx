import { LibraryDrawer } from '#features/library/LibraryDrawer.tsx'
import { LogOutDialog } from '#features/account/LogOutDialog.tsx'
import { useSession } from '#session/store.ts'
import { openShelf, useShelfDrawer } from './shelf-drawer.ts'

export function ShelfDrawer() {
  const isLoggingOut = useShelfDrawer((state) => state.isLoggingOut)
  return (
    <>
      <Shelf />
      {isLoggingOut !== undefined && (
        <LogOutDialog
          open={isLoggingOut}
          onOpenChange={(open) => useShelfDrawer.setState({ isLoggingOut: open })}
        />
      )}
    </>
  )
}

function Shelf() {
  const owner = useSession((state) => (state.status === 'user' ? state.owner?.uuid : undefined))
  const open = useShelfDrawer((state) => state.open)
  if (!owner) return null
  return <LibraryDrawer ownerUuid={owner} open={open === true} onOpenChange={openShelf} />
}
