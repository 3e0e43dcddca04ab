import type { Plugin } from 'vite'

/** What `src/ui/Icon.tsx` draws. */
const DRAWN = new Set(['regular', 'fill'])
/** In the first view, and never filled there or anywhere. */
const NEVER_FILLED = /\/(Handbag|List|MagnifyingGlass|WifiHigh|WifiSlash)\.es\.js/

/**
 * Leaves the other four weights of every icon out of the bundle: each icon's module carries six, and no
 * bundler can tell that a map's entries are never asked for. A third of the first view's own code.
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

/** One `["bold", createElement(…)],` of the map, as the package is laid out. */
const ENTRY = /\n {2}\[\n {4}"(\w+)",[\s\S]*?\n {2}\],?/g
