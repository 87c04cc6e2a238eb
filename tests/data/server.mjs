// A plain HTTP server and its own load, on loopback, for capture.sh: routing
// by regular expression, JSON, a digest, compression, and some waiting.
import {createHash} from 'node:crypto';
import http from 'node:http';
import {gzipSync} from 'node:zlib';

const REQUESTS = 24000;
const CLIENTS = 8;
const ROUTE = /^\/(?<kind>items|pages|digests)\/(?<id>\d+)$/;

function items(id) {
	return Array.from({length: 20 + (id % 30)},
		(_, i) => ({id: id + i, name: `item ${i}`, tags: ['a', 'b', id]}));
}

const handlers = {
	items: id => JSON.stringify(items(id)),
	pages: id => gzipSync(items(id).map(item => `<li>${item.name}`).join('')),
	digests: id => createHash('sha1').update(String(items(id))).digest('hex'),
};

const server = http.createServer((request, response) => {
	const match = ROUTE.exec(request.url);
	if (!match) {
		response.statusCode = 404;
		response.end();
		return;
	}
	response.end(handlers[match.groups.kind](Number(match.groups.id)));
});

function get(agent, port, path) {
	return new Promise((resolve, reject) => {
		http.get({agent, port, path}, response => {
			response.resume();
			response.on('end', resolve);
		}).on('error', reject);
	});
}

async function client(port, first) {
	const agent = new http.Agent({keepAlive: true});
	const kinds = [...Object.keys(handlers), 'nothing'];
	for (let i = first; i < REQUESTS; i += CLIENTS) {
		await get(agent, port, `/${kinds[i % kinds.length]}/${i}`);
		if (i % 500 === first) {
			await new Promise(resolve => setTimeout(resolve, 20));
		}
	}
	agent.destroy();
}

server.listen(0, '127.0.0.1', async () => {
	const {port} = server.address();
	await Promise.all(Array.from({length: CLIENTS}, (_, i) => client(port, i)));
	server.close();
});
