import { useParams } from 'react-router'

/** A parameter of the route that is shown; a route without it is a fault of the router. */
export function useParam(name: string): string {
  const value = useParams()[name]
  if (value === undefined) throw new Error(`the route has no parameter ${name}`)
  return value
}
