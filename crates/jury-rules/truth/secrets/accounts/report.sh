curl -H "Authorization: Api-Token §hrmxgj2stry3b758r05kn0n8d7tswril" https://acme.io/report
curl -H "Authorization: Api-Token $REPORT_TOKEN" https://acme.io/report
