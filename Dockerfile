# The command line with git and bubblewrap. Add the toolchain of your repository: docker build -t assay . && docker run --rm -v "$PWD:/work" assay verify
FROM node:24-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
 && rm -rf /var/lib/apt/lists/*
COPY dist /opt/assay/dist
COPY package.json /opt/assay/package.json
RUN ln -s /opt/assay/dist/cli.js /usr/local/bin/assay
WORKDIR /work
ENTRYPOINT ["assay"]
