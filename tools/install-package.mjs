import { spawnSync } from 'node:child_process'

/** Installs a package of Debian, as root; asks nothing, and waits where another installation is under way. */
export function installPackage(name) {
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-y', '-qq', '--no-install-recommends']
  spawnSync('apt-get', [...options, 'install', name], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
