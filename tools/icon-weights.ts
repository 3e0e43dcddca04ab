import type { Plugin } from 'vite'

/** The weights that `src/ui/Icon.tsx` uses. */
const DRAWN = new Set(['regular', 'fill'])
/** Icons of the first view that are never filled. */
const NEVER_FILLED = /\/(Handbag|List|MagnifyingGlass|WifiHigh|WifiSlash)\.es\.js/

/**
 * Removes the unused weights of every icon from the bundle. Each icon's module has six, and no bundler can tell that
 * some entries of a map are never read. This saves a third of the first view's own code.
 */
export function iconWeights(): Plugin {
  return {
    name: 'icon-weights',
    transform(code, id) {
      if (!id.includes('/@phosphor-icons/react/dist/defs/')) return undefined
      const kept = code.replace(ENTRY, (entry, weight: string) =>
        DRAWN.has(weight) && !(weight === 'fill' && NEVER_FILLED.test(id)) ? entry : '',
      )
      if (kept === code) this.error(`The icon module ${id} has another form than icon-weights knows`)
      return { code: kept, map: null }
    },
  }
}

/** An entry `["bold", createElement(…)],` in the package's layout. */
const ENTRY = /\n {2}\[\n {4}"(\w+)",[\s\S]*?\n {2}\],?/g
